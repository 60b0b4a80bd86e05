import { sampleEvent, signedRequest } from '@posthorn/receiver/testing'

// Signs a sample event, sends it to a receiver like Posthorn, and prints the response.
const { POSTHORN_SECRET: secret = '' } = process.env
const [url = 'http://127.0.0.1:3000/hooks', id = `evt_test_${Date.now()}`] = process.argv.slice(2)
const answer = await fetch(await signedRequest(sampleEvent('email.bounced', { id }), { secret, url }))

console.log(answer.status, (await answer.text()).trim())
console.log(`x-service-verified: ${answer.headers.get('x-service-verified') ?? 'none'}`)
process.exitCode = answer.ok ? 0 : 1

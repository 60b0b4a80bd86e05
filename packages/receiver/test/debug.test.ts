import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeSignature, signatureParts } from '../src/debug.ts'
import { createVerifier } from '../src/index.ts'
import { at, BODY, NOW, SECRET } from './signed.ts'
import { bodyOf, vectors } from './vectors.ts'

test.each(vectors.sign)('parts and signatures of the header in $id can be computed', async vector => {
  const { secrets, timestamp, expectHeader } = vector
  const [time, ...signatures] = signatureParts(expectHeader)
  expect(time).toEqual({ partName: 't', value: String(timestamp) })
  const inputs = secrets.map(key => ({ key, before: `${timestamp}.`, body: bodyOf(vector) }))
  expect(signatures.map(part => part.value)).toEqual(await Promise.all(inputs.map(computeSignature)))
})

test('a damaged header is shown part by part, in its order', () => {
  expect(signatureParts(' v1=7312…, t=, scheme=1, v1s2= A=B ,t=12,v2=0,t,v1 =1')).toEqual([
    { partName: 'v1', value: '7312…' },
    { partName: 't', value: '' },
    { partName: 'v1s2', value: ' A=B' },
    { partName: 't', value: '12' },
  ])
})

test('any text has parts, and each of them stands in it', () => {
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('t=', 'v1=', 'v1s=', ',', '=', '\n'))
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const header = pieces.join('')
      for (const { partName, value } of signatureParts(header)) {
        expect(header).toContain(`${partName}=${value}`)
      }
    }),
  )
})

test('a key in bytes or another text before the body gives the signature of that mistake', async () => {
  const bytes = new TextEncoder().encode(SECRET)
  const right = await computeSignature({ key: bytes, before: `${NOW}.`, body: BODY })
  expect(right).toBe(await computeSignature({ key: SECRET, before: `${NOW}.`, body: BODY }))
  const withoutTime = await computeSignature({ key: SECRET, before: '', body: BODY })

  const verifier = createVerifier(at())
  expect(await verifier.safeVerify(BODY, `t=${NOW},v1=${right}`)).toMatchObject({ ok: true })
  expect(await verifier.safeVerify(BODY, `t=${NOW},v1=${withoutTime}`)).toMatchObject({ ok: false })
})

import { ApiProblem } from '@posthorn/client'
import { packageVersion } from '../../version.ts'
import { asCalled } from '../called-as.ts'
import type { Check } from '../check.ts'
import { CommandError } from '../command-error.ts'
import type { CommandInput } from '../command-input.ts'
import { mailCheck } from '../mail-check.ts'
import { operatorConnection } from '../connection.ts'
import { describeServiceError, serviceClient } from '../service-client.ts'

/** Checks that the service is running, ready and of this version, and that maintenance is not stopped and no mail is stuck. */
export async function checkService(input: CommandInput): Promise<Check[]> {
  const name = 'Service'
  try {
    const { url, ...connection } = operatorConnection(input)
    const client = serviceClient({ url, ...connection })
    await client.getReadiness()
    const [{ version }, { maintenance, mail }] = await Promise.all([
      client.getSystem(),
      client.getSystemHealth(),
    ])
    const found = `ready at ${url}, version ${version}`
    if (maintenance.state === 'stopped') {
      const advice = asCalled('The clock is in doubt, so maintenance is stopped: run posthorn status')
      return [{ name, state: 'broken', found, advice }, ...mailCheck({ mail })]
    }
    const upgrade = {
      state: 'note',
      advice: `This command has version ${packageVersion()}: restart the service to upgrade it`,
    } as const
    const isCurrent = version === packageVersion()
    return [{ name, found, ...(isCurrent ? { state: 'ok' } : upgrade) }, ...mailCheck({ mail })]
  } catch (thrown) {
    const error = describeServiceError(thrown)
    if (!(error instanceof CommandError)) throw error
    // it may not have been started yet
    const isAbsent = error.code === 'service_unreachable' || error.code === 'admin_token_missing'
    const isNotReady = thrown instanceof ApiProblem && thrown.status === 503
    const advice = isNotReady ? 'Check the log of the service' : undefined
    return [
      {
        name,
        state: isAbsent ? 'note' : 'broken',
        found: error.message,
        ...(advice !== undefined && { advice }),
      },
    ]
  }
}

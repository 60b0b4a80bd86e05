import * as z from 'zod'
import { id } from '../ids.ts'

/** The one address of the service's own machine to which one endpoint may be delivered. */
export const loopbackPermission = z
  .object({
    webhook_id: id('wh'),
    url: z.string().meta({ description: 'The URL of the endpoint from now on.' }),
  })
  .meta({ id: 'LoopbackPermission' })

export const loopbackPermissionPut = z
  .strictObject({
    url: z.string().meta({
      format: 'uri',
      description: 'Plain http to `127.0.0.1` or `[::1]`. Only its host and port are permitted.',
      examples: ['http://127.0.0.1:8080/webhooks'],
    }),
  })
  .meta({ id: 'LoopbackPermissionPut' })

export type LoopbackPermission = z.infer<typeof loopbackPermission>
export type LoopbackPermissionPut = z.output<typeof loopbackPermissionPut>

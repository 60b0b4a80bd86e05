import * as z from 'zod'
import { id } from '../ids.ts'

/** Lets one endpoint receive events on one loopback host and port. */
export const loopbackPermission = z
  .object({
    webhook_id: id('wh'),
    url: z.string().meta({ description: 'The new URL of the endpoint.' }),
  })
  .meta({ id: 'LoopbackPermission' })

export const loopbackPermissionPut = z
  .strictObject({
    url: z.string().meta({
      format: 'uri',
      description:
        'An http URL with the host `127.0.0.1` or `[::1]`. Posthorn permits only this host and port.',
      examples: ['http://127.0.0.1:8080/webhooks'],
    }),
  })
  .meta({ id: 'LoopbackPermissionPut' })

export type LoopbackPermission = z.infer<typeof loopbackPermission>
export type LoopbackPermissionPut = z.output<typeof loopbackPermissionPut>

import * as z from 'zod'
import { sendableAddress } from '../mailbox.ts'

/** The address that receives notices about the account's endpoints. */
export const noticeEmail = z.object({ address: z.string() }).meta({ id: 'NoticeEmail' })

export const noticeEmailPut = z.strictObject({ address: sendableAddress }).meta({ id: 'NoticeEmailPut' })

export type NoticeEmail = z.infer<typeof noticeEmail>
export type NoticeEmailPut = z.output<typeof noticeEmailPut>

import { noticeData, type NoticeType } from '@posthorn/contract'

/** The types of events that are notices to the account and not mail: no list of events shows them. */
const noticeTypes = Object.keys(noticeData) as NoticeType[]

/** The same as an array in SQL; they are constants of this program. */
export const noticeTypesSql = `'{${noticeTypes.join(',')}}'::event_type[]`

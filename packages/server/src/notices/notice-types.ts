import { noticeData, type NoticeType } from '@posthorn/contract'

/** The event types of notices about endpoints, which lists of email events leave out. */
const noticeTypes = Object.keys(noticeData) as NoticeType[]

/** The same as an array in SQL; the values are constants of this program. */
export const noticeTypesSql = `'{${noticeTypes.join(',')}}'::event_type[]`

import type { Email } from '@posthorn/contract'

/** The subject of an email, or what to call it if it has none. An erasure removes the subject. */
export function emailTitle({ subject, erased_at: erasedAt }: Pick<Email, 'subject' | 'erased_at'>): string {
  if (subject.trim() !== '') return subject
  return erasedAt === null ? 'Email without a subject' : 'Erased email'
}

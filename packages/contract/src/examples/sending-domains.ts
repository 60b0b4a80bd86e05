import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const dkim = {
  purpose: 'dkim' as const,
  required: true,
  type: 'TXT' as const,
  name: 'ph1._domainkey.mail.example.com',
  value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
  why: 'Receivers verify the DKIM signature of your mail with this key.',
  state: 'unchecked' as const,
  found: [],
  message: null,
}
const domain = {
  id: exampleIds.dom,
  name: 'mail.example.com',
  dkim_selector: 'ph1',
  return_path_domain: null,
  link_host: null,
  records: [dkim],
  verified_at: null,
  return_path_verified_at: null,
  link_host_verified_at: null,
  checked_at: null,
  created_at: '2026-11-20T11:00:00.000Z',
}

export const sendingDomainExamples = {
  createSendingDomain: { body: { name: 'mail.example.com' }, answer: domain },
  listSendingDomains: { query: { limit: '50' }, answer: { data: [domain], next_cursor: null } },
  getSendingDomain: { answer: domain },
  updateSendingDomain: {
    body: { return_path_domain: 'bounces.mail.example.com' },
    answer: {
      ...domain,
      return_path_domain: 'bounces.mail.example.com',
      records: [
        dkim,
        {
          ...dkim,
          purpose: 'return_path_cname',
          required: false,
          type: 'CNAME',
          name: 'bounces.mail.example.com',
          value: 'bounces.posthorn.example',
          why: 'With your own return path, SPF matches the domain of your From address.',
        },
      ],
    },
  },
  checkSendingDomain: {
    answer: {
      ...domain,
      records: [{ ...dkim, state: 'right', found: [dkim.value], message: 'The record is right.' }],
      verified_at: '2026-11-20T11:10:00.000Z',
      checked_at: '2026-11-20T11:10:00.000Z',
    },
  },
  deleteSendingDomain: {},
} satisfies Partial<Examples>

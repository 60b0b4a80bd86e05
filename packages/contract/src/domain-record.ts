/** What a DNS record of a sending domain is for. */
export const domainRecordPurposes = [
  'dkim',
  'dmarc',
  'return_path_cname',
  'link_cname',
  'return_path_mx',
  'return_path_spf',
] as const

export type DomainRecordPurpose = (typeof domainRecordPurposes)[number]

/** What the last check of a DNS record found. `failed`: DNS did not respond, so the state is unknown. */
export const domainRecordStates = ['unchecked', 'right', 'missing', 'wrong', 'failed'] as const

export type DomainRecordState = (typeof domainRecordStates)[number]

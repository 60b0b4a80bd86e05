/** What a DNS record of a sending domain is for. */
export const domainRecordPurposes = ['dkim', 'dmarc', 'return_path_mx', 'return_path_spf'] as const

export type DomainRecordPurpose = (typeof domainRecordPurposes)[number]

/** What was found where a DNS record should be; `failed`: the DNS gave no answer, which says nothing. */
export const domainRecordStates = ['unchecked', 'right', 'missing', 'wrong', 'failed'] as const

export type DomainRecordState = (typeof domainRecordStates)[number]

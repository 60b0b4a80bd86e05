/**
 * The state of an email for one recipient. `handed_over`: the operator's mail server accepted it and delivers it.
 * `delivered`: the recipient's mail server accepted it. `bounced` and `failed` are final.
 */
export const emailStates = ['queued', 'handed_over', 'delivered', 'bounced', 'failed'] as const

export type EmailState = (typeof emailStates)[number]

/** The field in which the sender named a recipient. */
export const recipientFields = ['to', 'cc', 'bcc'] as const

export type RecipientField = (typeof recipientFields)[number]

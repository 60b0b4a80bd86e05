/**
 * How far an email has come with one recipient. `handed_over`: our mail server has it and tries on its own;
 * `delivered`: the recipient's mail server took it; `bounced` and `failed` are final.
 */
export const emailStates = ['queued', 'handed_over', 'delivered', 'bounced', 'failed'] as const

export type EmailState = (typeof emailStates)[number]

/** Where the sender named a recipient. */
export const recipientFields = ['to', 'cc', 'bcc'] as const

export type RecipientField = (typeof recipientFields)[number]

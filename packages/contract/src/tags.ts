/** The chapters of the API reference in their order, by group, each with a sentence that says what it is about. */
export const tagGroups = {
  'Send and report': {
    Emails: 'Emails that Posthorn sends for an account.',
    Events: 'Outcomes that you report, and the events that Posthorn creates from them.',
    Sources: 'Reports of mail servers, in their own formats.',
  },
  'Receive events': {
    'Webhook endpoints': 'URLs that receive signed events, and ways to test them.',
    'Signing keys': 'Secrets that sign deliveries, and their rotation.',
    'Event types': 'The requests that your endpoint receives.',
    Deliveries: 'One event for one endpoint, with every attempt.',
    Replays: 'Jobs that send the deliveries of an endpoint again.',
    'Notice webhook': 'A URL that receives notices about the health of your endpoints.',
    'Notice email': 'An address that receives notices about the health of your endpoints.',
  },
  'Recipients and domains': {
    Suppressions: 'Addresses that Posthorn sends no email to.',
    Erasures: 'Jobs that remove the address of a person.',
    'Sending domains': 'Domains that you send from, with their DNS records.',
  },
  'Look back': {
    Statistics: 'Attempts over time.',
    'Audit log': 'Who changed what, and when.',
  },
  'Run Posthorn': {
    Accounts: 'Customers of this installation. Only the operator manages accounts.',
    'API keys': 'Credentials of an account. The operator creates and revokes them.',
    'Portal sessions': 'Links that open the dashboard for a customer.',
    Sessions: 'Signing in to the dashboard.',
    System: 'The installation, for its operator.',
    Service: 'Health, metrics, backup and this document.',
  },
} as const satisfies Record<string, Record<string, string>>

type KeysOfUnion<Union> = Union extends unknown ? keyof Union & string : never

/** The chapter that an operation belongs to. */
export type Tag = KeysOfUnion<(typeof tagGroups)[keyof typeof tagGroups]>

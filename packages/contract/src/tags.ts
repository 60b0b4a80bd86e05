/** The sections of the API reference in order, by group, with their descriptions. */
export const tagGroups = {
  'Send and report': {
    Emails: 'Emails that Posthorn sends for an account.',
    Events: 'Outcomes that you report, and the events that Posthorn creates from them.',
    Sources: 'Reports that mail servers send in their own formats.',
  },
  'Receive events': {
    'Webhook endpoints': 'URLs that receive signed events, and ways to test them.',
    'Signing keys': 'Secrets that sign deliveries, and how to rotate them.',
    'Event types': 'The requests that your endpoint receives.',
    Deliveries: 'A delivery is one event for one endpoint, with all its attempts.',
    Replays: 'Jobs that send the deliveries of an endpoint again.',
    'Notice webhook': 'A URL that receives notices about the health of your endpoints.',
    'Notice email': 'An address that receives notices about the health of your endpoints.',
  },
  'Recipients and domains': {
    Suppressions: 'Addresses that Posthorn sends no email to.',
    Erasures: 'Jobs that remove the address of a person.',
    Branding: 'The name, color and logo on the unsubscribe page.',
    'Sending domains': 'Domains that you send from, with their DNS records.',
  },
  'Look back': {
    Statistics: 'Counts and latencies of attempts over time.',
    'Audit log': 'Who changed what, and when.',
  },
  'Run Posthorn': {
    Accounts: 'Customers of this installation. Only the operator manages accounts.',
    'API keys': 'Credentials of an account. The operator creates and revokes them.',
    'Portal sessions': 'Links that open the dashboard for a customer.',
    Operators: 'Named tokens of the people who run this installation.',
    Sessions: 'Sign in to the dashboard.',
    System: 'Information about the installation, for its operator.',
    Service: 'Health, metrics, backup and this document.',
  },
} as const satisfies Record<string, Record<string, string>>

type KeysOfUnion<Union> = Union extends unknown ? keyof Union & string : never

/** The section that an operation belongs to. */
export type Tag = KeysOfUnion<(typeof tagGroups)[keyof typeof tagGroups]>

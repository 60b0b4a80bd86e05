/** The endpoint that a command is about. */
export const endpointOperand = {
  name: 'endpoint',
  meaning: 'Its id, wh_…, as posthorn endpoints list shows it.',
} as const

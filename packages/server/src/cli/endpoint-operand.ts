/** The endpoint that a command works on. */
export const endpointOperand = {
  name: 'endpoint',
  meaning: 'The endpoint id (wh_…), as shown by posthorn endpoints list.',
} as const

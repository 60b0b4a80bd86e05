/** The frameworks with sample code. */
export const receivers = [
  'Express',
  'Next.js',
  'Fastify',
  'Hono',
  'PHP',
  'Python',
  'Go',
  'Ruby',
  'Java',
  'Other',
] as const

export type Receiver = (typeof receivers)[number]

/** The line of a `.env` file. */
export function envLine(secret: string, name = 'WEBHOOK_SECRET'): string {
  return `${name}=${secret}`
}

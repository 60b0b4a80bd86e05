import type { FastifyRequest } from 'fastify'
import { rawBody } from './read-request.ts'

/** The fields of a form in one of the two encodings of browsers, or null for any other body. */
export async function readForm(request: FastifyRequest): Promise<FormData | null> {
  const { contentType = '' } = request
  const [, encoding] =
    /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.exec(contentType) ?? []
  const body = rawBody(request)
  if (encoding === undefined) return null
  if (!/^multipart/i.test(encoding) && hasTooManyFields(body)) return null
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return null
  }
}

/** They would take seconds to decode. */
function hasTooManyFields(body: Buffer): boolean {
  return body.toString('latin1').split('&', fieldsMax + 1).length > fieldsMax
}

const fieldsMax = 1_000

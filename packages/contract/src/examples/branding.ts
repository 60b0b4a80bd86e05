import type { Examples } from './example.ts'

const name = 'Acme Shop'
const color = '#1d4ed8'
const data =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mOQ9bsBRAwQCgAgdgUNS96GoQAAAABJRU5ErkJggg=='
const answer = { name, color, logo: { media_type: 'image/png' as const, width: 2, height: 2, data } }

export const brandingExamples = {
  getBranding: { answer },
  updateBranding: { body: { name, color, logo: data }, answer },
} satisfies Partial<Examples>

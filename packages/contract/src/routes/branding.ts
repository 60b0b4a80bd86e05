import { branding, brandingUpdate } from '../resources/branding.ts'
import { json, route } from '../route.ts'

const tag = 'Branding'
const path = '/v1/branding'

export const brandingRoutes = {
  getBranding: route({
    operationId: 'getBranding',
    method: 'GET',
    path,
    summary: 'Get the branding',
    description: 'Returns the name, color and logo that recipients see on your unsubscribe page.',
    tag,
    auth: 'read',
    front: 'caller',
    success: { status: 200, description: 'The branding.', schema: branding },
  }),
  updateBranding: route({
    operationId: 'updateBranding',
    method: 'PATCH',
    path,
    summary: 'Update the branding',
    description:
      'Changes only the fields that you send; null removes a value. Posthorn chooses black or white text for your color, and adds a border if the color is hard to see on the page.',
    tag,
    auth: 'send',
    front: 'caller',
    body: json(brandingUpdate),
    success: { status: 200, description: 'The updated branding.', schema: branding },
  }),
} as const

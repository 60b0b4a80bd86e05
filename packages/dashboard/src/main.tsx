import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './theme/theme.css'
import './theme/parts.css'
import { ApiProvider } from './api/api-context.ts'
import { createCall } from './api/call.ts'
import { Credentials } from './api/credentials.ts'
import { createQueryClient } from './api/query-client.ts'
import { Silence } from './api/silence.ts'
import { beginPage } from './app/begin-page.ts'
import { createDashboardRouter } from './app/router.tsx'
import { beginVisit } from './app/visit.ts'

const visit = beginVisit(window)
const credentials = new Credentials()
const silence = new Silence()
const api = { credentials, silence, call: createCall(credentials, silence) }
const queries = createQueryClient()
const router = createDashboardRouter({ api, queries, visit })
void beginPage(router, location)

createRoot(document.getElementById('page') ?? document.body).render(
  <StrictMode>
    <ApiProvider value={api}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ApiProvider>
  </StrictMode>,
)

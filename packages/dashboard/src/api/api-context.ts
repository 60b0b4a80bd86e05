import { createContext, useContext } from 'react'
import type { Call } from './call.ts'
import type { Credentials } from './credentials.ts'
import type { Silence } from './silence.ts'

/** The one door to the service. */
export interface Api {
  readonly call: Call
  readonly credentials: Credentials
  readonly silence: Silence
}

const ApiContext = createContext<Api | null>(null)

export const ApiProvider = ApiContext.Provider

/** The API, as the composition root made it. */
export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('useApi is used outside ApiProvider')
  return api
}

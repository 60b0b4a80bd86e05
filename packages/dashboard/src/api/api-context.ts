import { createContext, useContext } from 'react'
import type { Call } from './call.ts'
import type { Credentials } from './credentials.ts'
import type { Silence } from './silence.ts'

/** The API client that pages use for every request. */
export interface Api {
  readonly call: Call
  readonly credentials: Credentials
  readonly silence: Silence
}

const ApiContext = createContext<Api | null>(null)

export const ApiProvider = ApiContext.Provider

/** Returns the API client from the composition root. */
export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('useApi is used outside ApiProvider')
  return api
}

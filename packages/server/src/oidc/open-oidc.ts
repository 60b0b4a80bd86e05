import { hash } from 'node:crypto'
import type { ClientAuth, Configuration } from 'openid-client'
import { oidcPerson } from '../domain/oidc-person.ts'
import type { OperatorPeople } from '../domain/operator-people.ts'
import { type Oidc, OidcFailure } from '../http/oidc.ts'

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The claim that names the person. */
  readonly claim: string
  readonly people: OperatorPeople
}

/** The time limit of each request to the provider. */
const timeoutSeconds = 10

/**
 * Signs people in with an OpenID provider. It asks the provider only when the first person signs in. If the provider does not
 * answer, it asks again at the next sign-in.
 */
export function openOidc({ issuer, clientId, clientSecret, claim, people }: OidcSettings): Oidc {
  let found: ReturnType<typeof discover> | undefined
  const provider = async (): ReturnType<typeof discover> => {
    found ??= discover({ issuer, clientId, clientSecret })
    try {
      return await found
    } catch (error) {
      found = undefined
      throw new OidcFailure('oidc_unavailable', error)
    }
  }
  return {
    host: new URL(issuer).host,
    people,

    async begin(redirectUri, { state, nonce, verifier }) {
      const { client, config } = await provider()
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: hash('sha256', verifier, 'base64url'),
        code_challenge_method: 'S256',
      })
    },

    async finish(callback, { state, nonce, verifier }) {
      const { client, config } = await provider()
      try {
        const tokens = await client.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) return null
        const isElsewhere =
          claims[claim] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
        const all = isElsewhere ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : claims
        return oidcPerson(all, { claim, people })
      } catch (error) {
        throw new OidcFailure(isSilence(error) ? 'oidc_unavailable' : 'oidc_refused', error)
      }
    },
  }
}

/** Loads the library only here, because most installations do not need it. */
async function discover({
  issuer,
  clientId,
  clientSecret,
}: Pick<OidcSettings, 'issuer' | 'clientId' | 'clientSecret'>) {
  const client = await import('openid-client')
  const basic = client.ClientSecretBasic(clientSecret)
  const post = client.ClientSecretPost(clientSecret)
  const authenticate: ClientAuth = (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request)
  }
  const config: Configuration = await client.discovery(new URL(issuer), clientId, undefined, authenticate, {
    timeout: timeoutSeconds,
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
    ],
  })
  return { client, config }
}

/** Whether the provider did not answer, or answered that it cannot. */
function isSilence(error: unknown): boolean {
  if (error instanceof TypeError) return true
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return code === 'OAUTH_TIMEOUT' || (cause instanceof Response && cause.status >= 500)
}

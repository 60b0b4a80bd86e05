import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { requireTestProgram } from '../../../../tools/test-programs/test-programs.ts'

/** A real OpenID provider on this machine, at which a person signs in with one request. */
export interface OpenIdProvider extends AsyncDisposable {
  readonly issuer: string
  /** What a browser does at the provider: signs in as this person and follows redirects. Returns the URL that leads back. */
  signIn(page: string, person: string): Promise<URL>
}

export const openIdClient = { clientId: 'posthorn', clientSecret: 'the-secret-of-posthorn' }

interface Oidc {
  callback(): RequestListener
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
}

interface Grant {
  addOIDCScope(scope: string): void
  save(): Promise<string>
}

interface GrantContext {
  oidc: {
    client: { clientId: string }
    session: { accountId: string }
    provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant }
  }
}

/**
 * Starts the provider. An id is also the email address; those that begin with `unverified` are not verified. The person
 * `nobody` cancels.
 * @param port 0 picks one
 */
export async function openOpenIdProvider(redirectUri: string, port = 0): Promise<OpenIdProvider> {
  const { Provider } = requireTestProgram<{ Provider: new (issuer: string, options: object) => Oidc }>(
    'oidc-provider',
  )
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: openIdClient.clientId,
        client_secret: openIdClient.clientSecret,
        redirect_uris: [redirectUri],
        application_type: 'native',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
    }),
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const { clientId } = oidc.client
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const serve = provider.callback()
  server.on('request', (request, response) => {
    const person = String(request.headers['x-person'])
    // a native client asks for consent each time
    const result =
      person === 'nobody' ? { error: 'access_denied' } : { login: { accountId: person }, consent: {} }
    if (!request.url?.startsWith('/interaction/')) serve(request, response)
    else void provider.interactionFinished(request, response, result)
  })
  return {
    issuer,
    signIn: async (page, person) => await followed(new URL(page), person, redirectUri),
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function followed(page: URL, person: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = page
  for (let hops = 0; !url.href.startsWith(redirectUri); hops++) {
    if (hops > 10) throw new Error(`the provider redirects without end: ${url.href}`)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie, 'x-person': person } })
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    url = new URL(location, url)
  }
  return url
}

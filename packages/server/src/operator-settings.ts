import { optional, setting } from './define-setting.ts'
import { parseCidrs } from './domain/cidr.ts'
import { parseOidcIssuer } from './domain/oidc-issuer.ts'
import { parseNames } from './domain/operator-people.ts'
import { parseOperatorHeader } from './domain/proxied-operator.ts'
import { z } from 'zod'
import { parsed } from './setting-schemas.ts'

/** How operators sign in through a proxy or an OpenID provider. */
export const operatorSettings = {
  POSTHORN_OPERATOR_HEADER: optional('operatorHeader', parsed(parseOperatorHeader), 'unset', {
    meaning:
      'The header in which a proxy says who is signed in there, such as `X-Forwarded-User`. That person may sign in as an operator. The proxy must remove this header from the requests of clients. Needs `POSTHORN_OPERATOR_PROXIES` and a list of people.',
  }),
  POSTHORN_OPERATOR_PROXIES: setting('operatorProxies', parsed(parseCidrs), '', {
    meaning: 'The networks (CIDRs) of these proxies. From other addresses, Posthorn ignores the header.',
  }),
  POSTHORN_OPERATORS_VIEW: setting('operatorsView', parsed(parseNames), '', {
    meaning: 'The people in the header or in the claim who may view, separated by commas.',
  }),
  POSTHORN_OPERATORS_CHANGE: setting('operatorsChange', parsed(parseNames), '', {
    meaning: 'The people in the header or in the claim who may also change, separated by commas.',
  }),
  POSTHORN_OIDC_ISSUER: optional('oidcIssuer', parsed(parseOidcIssuer), 'unset', {
    meaning:
      'The OpenID provider with which operators sign in, as its issuer URL. Needs the client, `POSTHORN_PUBLIC_URL` and a list of people. Plain `http:` works only on the same machine. With shards, set it on shard 0 and not on fronts.',
  }),
  POSTHORN_OIDC_CLIENT_ID: optional('oidcClientId', z.string(), 'unset', {
    meaning: 'The id of Posthorn at this provider.',
  }),
  POSTHORN_OIDC_CLIENT_SECRET: optional('oidcClientSecret', z.string(), 'unset', {
    secret: true,
    meaning: 'The secret of Posthorn at this provider.',
  }),
  POSTHORN_OIDC_CLAIM: setting('oidcClaim', z.string(), 'email', {
    meaning:
      'The claim of the provider that names the person. With `email`, addresses that the provider calls unverified are refused.',
  }),
}

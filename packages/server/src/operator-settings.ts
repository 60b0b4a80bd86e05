import { optional, setting } from './define-setting.ts'
import { parseCidrs } from './domain/cidr.ts'
import { parseNames, parseOperatorHeader } from './domain/proxied-operator.ts'
import { parsed } from './setting-schemas.ts'

/** How operators sign in through a proxy. */
export const operatorSettings = {
  POSTHORN_OPERATOR_HEADER: optional('operatorHeader', parsed(parseOperatorHeader), 'unset', {
    meaning:
      'The header in which a proxy says who is signed in there, such as `X-Forwarded-User`. That person may sign in as an operator. The proxy must remove this header from the requests of clients. Needs `POSTHORN_OPERATOR_PROXIES` and a list of people.',
  }),
  POSTHORN_OPERATOR_PROXIES: setting('operatorProxies', parsed(parseCidrs), '', {
    meaning: 'The networks (CIDRs) of these proxies. From other addresses, Posthorn ignores the header.',
  }),
  POSTHORN_OPERATORS_VIEW: setting('operatorsView', parsed(parseNames), '', {
    meaning: 'The people in the header who may view, separated by commas.',
  }),
  POSTHORN_OPERATORS_CHANGE: setting('operatorsChange', parsed(parseNames), '', {
    meaning: 'The people in the header who may also change, separated by commas.',
  }),
}

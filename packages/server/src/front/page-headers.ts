import { codeOfCredential, accountCode } from '../domain/account-code.ts'
import { operatorId } from '../domain/operator-id.ts'
import { typeId } from '../domain/type-id.ts'
import { noAllowances, pageHeaders } from '../http/page-headers.ts'
import { portalLinkIn } from '../http/portal-path.ts'
import type { PageHeadersOf } from '../http/serve-dashboard.ts'
import { sessionTokenOf } from '../http/session-cookie.ts'
import { AppError } from '../errors.ts'
import { callerHeaders, clientAddress } from './forward.ts'
import type { Front } from './front.ts'
import { sendToShard } from './send-to-shard.ts'

/**
 * The headers of a dashboard page. In a portal, they say who may frame it and which logo it may show, so the shard of the
 * account decides. The page itself comes from the front, with the scripts of its own version.
 */
export function pageHeadersAt(front: Front): PageHeadersOf {
  return async (request, path, address) => {
    const usual = pageHeaders(noAllowances, address)
    const linkId = portalLinkIn(path)
    const account = linkId === null ? codeOfCredential(sessionTokenOf(request) ?? '') : accountCode(linkId)
    if (account === null || account === accountCode(operatorId)) return usual
    try {
      const { status, headers, body } = await sendToShard(
        front,
        { account },
        {
          method: 'HEAD',
          // never a path that the browser chose
          path: linkId === null ? '/' : `/portal/${typeId('pses', linkId)}`,
          headers: callerHeaders(request),
          forwardedFor: clientAddress(front, request),
          isRepeatable: true,
        },
      )
      body.resume()
      if (status !== 200) return usual
      return Object.fromEntries(
        Object.keys(usual).flatMap(name =>
          typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
        ),
      )
    } catch (error) {
      // the page still loads and reports that the shard is down
      if (error instanceof AppError) return usual
      throw error
    }
  }
}

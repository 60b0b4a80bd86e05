import fc from 'fast-check'
import { mutated } from './mutated.ts'

const lengths = [
  'Content-Length: 5\r\n',
  'Content-Length: 5\r\nContent-Length: 5\r\n',
  'Content-Length: 5\r\nContent-Length: 4\r\n',
  'Content-Length: 5, 5\r\n',
  'Content-Length: 05\r\n',
  'Content-Length: +5\r\n',
  'Content-Length: 5 \t\r\n',
  'Content-Length: \r\n 5\r\n',
  'Content-Length: 0\r\n',
  'Content-Length:\r\n',
  'Content-Length: 5\r\nTransfer-Encoding:\r\n',
  'Transfer-Encoding:\r\n',
  '',
]
const codings = [
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: Chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Transfer-Encoding: chunked, chunked\r\n',
  'Transfer-Encoding: chunked, identity\r\n',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
  'Transfer-Encoding: xchunked\r\n',
  'Transfer-Encoding: \r\n\tchunked\r\n',
  'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
]
const fields = [
  'X-A: 1\r\n',
  'X-A: 1\r\n 2\r\n',
  'X-A: 1\r\n\t\r\n',
  ' X-A: 1\r\n',
  'X-A : 1\r\n',
  'X-A: 1\n',
  'X-A: 1\r',
  'X-A: \x7f\r\n',
  'X-A: \x00\r\n',
  'X-A: \xe4\r\n',
  'X A: 1\r\n',
  ': 1\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive\r\n',
  'Connection: keep-alive, close\r\n',
  'Connection: upgrade\r\nUpgrade: h2c\r\n',
  'Keep-Alive: timeout=60\r\n',
  'Retry-After: 120\r\n',
  'Retry-After:  Fri, 31 Dec 1999 23:59:59 GMT\t\r\n',
]
const chunks = [
  '5\r\nhello\r\n',
  '5;a=b\r\nhello\r\n',
  '5;a="b;\\""\r\nhello\r\n',
  '5; \r\nhello\r\n',
  '5 \r\nhello\r\n',
  ' 5\r\nhello\r\n',
  '5\t\r\nhello\r\n',
  '05\r\nhello\r\n',
  '5\nhello\n',
  '5\r\nhello',
  '5\r\nhello\n',
  '0x5\r\nhello\r\n',
  'A\r\nhellohello\r\n',
]
const endings = [
  '0\r\n\r\n',
  '0 \r\n\r\n',
  '00\r\n\r\n',
  '0;a\r\n\r\n',
  '0\r\nX-T: 1\r\n\r\n',
  '0\r\nContent-Length: 5\r\n\r\n',
  '0\r\nnonsense\r\n\r\n',
  '0\r\n X: 1\r\n\r\n',
  '0\r\nX-T: 1\n\r\n',
  '0\n\n',
  '0\r\n',
]
const interim = [
  'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked\r\n\r\n',
]
const statuses = ['204', '304', '500', '103', '100', '101', '099', '1000', '2OO', '600']
const behind = ['\r\n', '\n', 'x', 'HTTP/1.1 200 OK\r\n\r\n']

/** Mostly the first one. */
function mostly(from: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(from[0] ?? '') }, fc.constantFrom(...from))
}

function few(from: readonly string[]): fc.Arbitrary<string> {
  return fc.array(mostly(from), { maxLength: 2 }).map(all => all.join(''))
}

const counted = fc.tuple(mostly(lengths), mostly(['hello', 'hell', '']))
const chunked = fc.tuple(
  mostly(codings),
  fc.tuple(few(chunks), mostly(endings)).map(all => all.join('')),
)

/** Valid and invalid answers, and bytes before and after them. */
const spelled = fc
  .record({
    before: mostly(['', ...interim, '\r\n']),
    version: mostly(['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'http/1.1']),
    status: mostly(['200', ...statuses]),
    reason: mostly([' OK', '', ' ', ' Nicht \xe4']),
    first: few(fields),
    content: fc.oneof(counted, chunked),
    last: few(fields),
    after: mostly(['', ...behind]),
  })
  .map(({ before, version, status, reason, first, content: [framing, body], last, after }) =>
    Buffer.from(
      `${before}${version} ${status}${reason}\r\n${first}${framing}${last}\r\n${body}${after}`,
      'latin1',
    ),
  )

const marks = ['\r\n', '\n', '\r', ' ', '\t', ':', ';', ',', '0', '5', 'HTTP/1.1 ']
const tokens = [...marks, ...lengths, ...codings, ...fields, ...endings].filter(token => token !== '')

/** Complete answers, and answers with changed bytes. */
export const httpAnswers: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 3, arbitrary: spelled },
  spelled.chain(sample => mutated([sample], tokens)),
)

import { verify, X509Certificate } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { ProviderRequest, ProviderTools } from './provider.ts'
import { fieldIn, textIn } from './read-fields.ts'
import { isSnsCertificateUrl, isSnsUrl } from './sns-url.ts'

/**
 * Amazon SES reports through a topic of Amazon SNS, which signs every message with the key of a certificate. The first message
 * asks to confirm the subscription.
 *
 * @param topicArn the only topic that may report
 * @returns the event of SES; null if the message is about the subscription
 */
export async function verifySes(
  request: ProviderRequest,
  topicArn: string,
  tools: ProviderTools,
): Promise<unknown> {
  const message = request.json()
  if (textIn(message, 'TopicArn') !== topicArn)
    throw refused('The report is not of the topic of this source.')
  await checkSignature(message, tools)
  switch (textIn(message, 'Type')) {
    case 'SubscriptionConfirmation':
      await tools.read(confirmationUrl(message, topicArn))
      return null
    case 'Notification':
      return eventIn(request, textIn(message, 'Message'))
    default:
      return null
  }
}

const signedFields: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
}

const algorithms = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
])

async function checkSignature(message: unknown, { nowMs, readKept }: ProviderTools): Promise<void> {
  const type = textIn(message, 'Type')
  const fields = Object.hasOwn(signedFields, type) ? signedFields[type] : undefined
  const algorithm = algorithms.get(textIn(message, 'SignatureVersion'))
  const url = textIn(message, 'SigningCertURL')
  if (fields === undefined || algorithm === undefined || !isSnsCertificateUrl(url)) {
    throw refused('The report is not signed as Amazon SNS does it. Turn off raw message delivery.')
  }
  const present = fields.filter(name => typeof fieldIn(message, name) === 'string')
  const text = present.map(name => `${name}\n${textIn(message, name)}\n`).join('')
  const signature = Buffer.from(textIn(message, 'Signature'), 'base64')
  const key = keyOf(await readKept(url), nowMs)
  if (key === null || !verify(algorithm, Buffer.from(text), key, signature)) {
    throw refused('The signature of the report is wrong.')
  }
}

/** The key of a certificate that is valid now. */
function keyOf(pem: string, nowMs: number): X509Certificate['publicKey'] | null {
  try {
    const certificate = new X509Certificate(pem)
    const isValid = Date.parse(certificate.validFrom) <= nowMs && nowMs <= Date.parse(certificate.validTo)
    return isValid && certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate.publicKey : null
  } catch {
    return null
  }
}

function confirmationUrl(message: unknown, topicArn: string): string {
  const text = textIn(message, 'SubscribeURL')
  const asked = isSnsUrl(text) ? new URL(text).searchParams : null
  if (asked?.get('Action') !== 'ConfirmSubscription' || asked.get('TopicArn') !== topicArn) {
    throw refused('The URL that confirms the subscription is not of Amazon SNS.')
  }
  return text
}

/** SES also sends a sentence, when the topic is connected. */
function eventIn(request: ProviderRequest, text: string): unknown {
  return text.startsWith('{') ? request.json(text) : null
}

function refused(detail: string): AppError {
  return new AppError('unauthorized', detail)
}

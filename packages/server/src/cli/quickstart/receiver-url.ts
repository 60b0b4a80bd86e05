/** The URL of the quickstart receiver, which only this machine can reach. */
export function receiverUrl(port: number): string {
  return `http://${receiverHost}:${port}/webhooks`
}

export const receiverHost = '127.0.0.1'

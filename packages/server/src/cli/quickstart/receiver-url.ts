/** Where the receiver of quickstart listens: nothing outside this machine reaches it. */
export function receiverUrl(port: number): string {
  return `http://${receiverHost}:${port}/webhooks`
}

export const receiverHost = '127.0.0.1'

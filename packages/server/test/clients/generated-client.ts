/** How to generate, compile and use a client for one language. */
export interface GeneratedClient {
  /** Arguments for openapi-generator besides the document and the folder. */
  readonly generate: readonly string[]
  /** Files beside the generated ones. */
  readonly files?: ReadonlyArray<{ readonly path: string; readonly text: string }>
  /** Commands to run in the client's folder, in order. The last one prints the URL of the account's endpoint. */
  readonly commands: ReadonlyArray<readonly [command: string, ...args: string[]]>
}

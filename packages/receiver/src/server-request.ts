/** A stream of bytes that may have been read already. */
export interface BodyStream {
  readonly readable: boolean
  readonly readableEnded: boolean
  readonly destroyed?: boolean
  on(event: string, listener: (value: unknown) => void): unknown
  off(event: string, listener: (value: unknown) => void): unknown
  resume(): unknown
}

/** As much of a request of Node's HTTP server as is needed, with what body parsers may have put there. */
export interface ServerRequest extends BodyStream {
  readonly method?: string | undefined
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly headersDistinct?: { readonly [name: string]: string[] | undefined }
  readonly rawBody?: unknown
  readonly body?: unknown
}

/** As much of a response of Node's HTTP server as is needed. */
export interface ServerResponse {
  statusCode: number
  readonly headersSent?: boolean | undefined
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

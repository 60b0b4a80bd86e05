/** A stream of bytes that may already have been read. */
export interface BodyStream {
  readonly readable: boolean
  readonly readableEnded: boolean
  readonly destroyed?: boolean
  on(event: string, listener: (value: unknown) => void): unknown
  off(event: string, listener: (value: unknown) => void): unknown
  resume(): unknown
}

/** The part of a Node.js HTTP request that handlers need, with the fields that body parsers may add. */
export interface ServerRequest extends BodyStream {
  readonly method?: string | undefined
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly headersDistinct?: { readonly [name: string]: string[] | undefined }
  readonly rawBody?: unknown
  readonly body?: unknown
}

/** The part of a Node.js HTTP response that handlers need. */
export interface ServerResponse {
  statusCode: number
  readonly headersSent?: boolean | undefined
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

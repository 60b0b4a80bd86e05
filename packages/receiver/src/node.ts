/**
 * Synchronous verification, and a handler for Node's HTTP server.
 *
 * @module
 */
export type { AdapterOptions, EventHandler } from './adapter-options.ts'
export { createNodeHandler } from './node-handler.ts'
export { constructEventSync, verifySync } from './node-verify.ts'
export type { BodyStream, ServerRequest, ServerResponse } from './server-request.ts'

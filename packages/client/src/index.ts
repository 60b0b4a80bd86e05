export { ApiProblem } from './api-problem.ts'
export { type CallInput, type CallOptions, type Answer, type ItemOf, type ListId } from './call.ts'
export { type Client, type ClientOptions, createClient } from './create-client.ts'
export { UnexpectedAnswerError } from './unexpected-answer-error.ts'

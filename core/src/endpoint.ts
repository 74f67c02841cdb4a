import type * as v from 'valibot'
import type { Scope } from './scopes.ts'

/** The contract of one API call, for client and server. GET sends its input as the query string, other methods as a JSON body. */
export interface Endpoint<
  Input extends v.GenericSchema = v.GenericSchema,
  Output extends v.GenericSchema = v.GenericSchema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/api/${string}`
  /** One line for the OpenAPI document. */
  summary: string
  /** The scopes of personal access tokens that reach it: any of them is enough. Without this, no token does. */
  scopes?: readonly [Scope, ...Scope[]]
  input: Input
  output: Output
}

export type InputOf<E extends Endpoint> = v.InferOutput<E['input']>
export type OutputOf<E extends Endpoint> = v.InferOutput<E['output']>

export function endpoint<I extends v.GenericSchema, O extends v.GenericSchema>(shape: Endpoint<I, O>): Endpoint<I, O> {
  return shape
}

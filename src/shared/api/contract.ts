/**
 * The contract between the window and the main process: a table of its calls, with the schemas of their arguments and the types of what they
 * answer. All that crosses is read in one folder, `calls`, a file for what belongs together. Errors are data, a call is cancelled by its
 * number (transport.ts), binary data crosses as typed arrays.
 */
import { figureCalls } from './calls/figure.ts'
import { hostCalls } from './calls/host.ts'
import { libraryCalls } from './calls/library.ts'
import { modelCalls } from './calls/model.ts'
import { motionCalls } from './calls/motion.ts'
import type { Call } from './arguments.ts'

const contractCalls = { ...hostCalls, ...libraryCalls, ...modelCalls, ...motionCalls, ...figureCalls } as const

export const contract: typeof contractCalls = contractCalls
export type Contract = typeof contractCalls
export type CallName = keyof Contract
export type CallArgs<K extends CallName> = Contract[K] extends Call<infer A, unknown> ? A : never
export type CallResult<K extends CallName> = Contract[K] extends Call<any, infer R> ? R : never

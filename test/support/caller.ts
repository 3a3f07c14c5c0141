/** Calls on the services as a host makes them. */
import { dispatch } from '../../src/main/services/dispatch.ts'
import type { Services } from '../../src/main/services/service.ts'
import type { CallArgs, CallName, CallResult } from '../../src/shared/api/contract.ts'

export type Call = <K extends CallName>(name: K, args: CallArgs<K>, signal?: AbortSignal) => Promise<CallResult<K>>

/**
 * @param services asked for at each call, so that a suite may start them later. A refusal is thrown as an Error with what the answer says.
 * @param guarded each call passes the boundary, as a window's do
 */
export function caller(services: () => Services, guarded = false): Call {
  return async <K extends CallName>(name: K, args: CallArgs<K>, signal = new AbortController().signal) => {
    const answer = await dispatch(services(), name, args, signal, guarded ? services().boundary : undefined)
    if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.value as CallResult<K>
  }
}

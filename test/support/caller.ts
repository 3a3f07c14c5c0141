/** Calls on the services as a host makes them. */
import { dispatch } from '../../src/main/services/dispatch.ts'
import type { CallArgs, CallName, CallResult } from '../../src/shared/api/contract.ts'

type Called = Parameters<typeof dispatch>[0]

/** @param services asked for at each call, so that a suite may start them later. A refusal is thrown as an Error with what the answer says. */
export function caller(services: () => Called): <K extends CallName>(name: K, args: CallArgs<K>) => Promise<CallResult<K>> {
  return async <K extends CallName>(name: K, args: CallArgs<K>) => {
    const answer = await dispatch(services(), name, args, new AbortController().signal)
    if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.value as CallResult<K>
  }
}

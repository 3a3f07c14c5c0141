/** A call by name with arguments that nobody has checked yet: what every host and the command line hand to the services. */
import * as v from 'valibot'
import { contract } from '../../shared/api/contract.ts'
import type { CallName } from '../../shared/api/contract.ts'
import type { ErrorCode, ErrorData } from '../../shared/api/errors.ts'
import { toErrorData } from '../binary/format-error.ts'
import type { Leave } from './boundary.ts'
import type { Services } from './service.ts'
import { say } from '../../shared/texts/say.ts'

export type Answer = { ok: true; value: unknown } | { ok: false; error: ErrorData }

function failure(code: ErrorCode, message: string, path = ''): Answer {
  return { ok: false, error: { code, message, file: '', path, offset: -1 } }
}

/**
 * Never throws: an unknown name, arguments that do not fit, cancellation and every failure come back as data.
 * @param leave what the caller may name of the disk, for a window; who has none (the command line) may name everything
 */
export async function dispatch(services: Services, name: string, args: unknown, signal: AbortSignal, leave?: Leave): Promise<Answer> {
  if (!Object.hasOwn(contract, name))
    return failure('invalid-argument', say('calls.noSuchCall', { name: JSON.stringify(name.slice(0, 100)) }))
  const known = name as CallName
  const parsed = v.safeParse(contract[known].args, args ?? {})
  if (!parsed.success) {
    const issue = parsed.issues[0]
    return failure('invalid-argument', say('calls.badArguments', { call: known, why: issue.message }), v.getDotPath(issue) ?? '')
  }
  try {
    if (signal.aborted) return failure('cancelled', say('calls.cancelled', { call: known }))
    leave?.check(known, parsed.output)
    const value = await (services.handlers[known] as (args: unknown, context: { signal: AbortSignal }) => unknown)(parsed.output, {
      signal,
    })
    return { ok: true, value }
  } catch (error) {
    if (signal.aborted) return failure('cancelled', say('calls.cancelled', { call: known }))
    return { ok: false, error: toErrorData(error) }
  }
}

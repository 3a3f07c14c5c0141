/** Commands of posing by chains; they stand while the posing tools do. */
import { useOwnCommands } from '../../core/commands/registry.ts'
import { usePosing } from '../../core/posing.ts'
import { useReach } from '../../core/reach.ts'
import { useSelection } from '../../core/selection.ts'

export function useReachCommands(): void {
  const posing = usePosing()
  const reach = useReach()
  const selection = useSelection()
  const chosen = (): boolean => posing.possible && selection.current.joint >= 0
  const longer = (by: 1 | -1) => ({
    when: (): boolean =>
      chosen() &&
      posing.tool.kind === 'reach' &&
      reach.chain !== null &&
      reach.chain.bones + by >= 0 &&
      reach.chain.bones + by <= reach.chain.most,
    run: (): void => reach.setBones(reach.chain!.joint, reach.chain!.bones + by),
  })
  useOwnCommands([
    { id: 'pose.reach', when: () => posing.possible, run: () => posing.choose('reach') },
    { id: 'pose.pin', when: chosen, run: () => reach.togglePins() },
    { id: 'pose.unpin', when: () => posing.possible && reach.pins.length > 0, run: reach.clearPins },
    { id: 'pose.follow', when: () => posing.possible, run: () => (posing.options.follow = !posing.options.follow) },
    { id: 'pose.longer', ...longer(1) },
    { id: 'pose.shorter', ...longer(-1) },
  ])
}

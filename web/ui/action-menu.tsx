import { Button, type ButtonProps } from '@fluentui/react-components'
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal'
import { type KeyboardEvent, useId, useState } from 'react'
import { createLate } from './late.tsx'
import type { MenuAction } from './menu-action.ts'

const ActionMenuPopover = createLate(() => import('./action-menu-popover.tsx').then(({ ActionMenuPopover: it }) => it))

type ActionMenuButtonProps = Pick<ButtonProps, 'appearance' | 'icon' | 'className' | 'tabIndex' | 'children'> & {
  'aria-label'?: string
  'data-testid'?: string
  actions: readonly MenuAction[]
}

/** Button that opens a menu. The menu itself, which the first load does not wait for, is rendered only once it is opened. */
export function ActionMenuButton({ actions, ...props }: ActionMenuButtonProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const open = (opener: HTMLButtonElement) => {
    setButton(opener)
    setOpen(true)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === 'ArrowDown' && !event.defaultPrevented) open(event.currentTarget)
    if (event.key === 'Escape') setOpen(false)
  }
  return (
    <>
      <Button
        {...props}
        id={id}
        aria-haspopup="menu"
        aria-expanded={isOpen || undefined}
        onClick={({ currentTarget }) => (isOpen ? setOpen(false) : open(currentTarget))}
        onKeyDown={onKeyDown}
      />
      {button && <ActionMenuPopover opener={button} isOpen={isOpen} onOpenChange={setOpen} actions={actions} />}
    </>
  )
}

type RowMenuProps = { name: string; actions: readonly MenuAction[]; tabIndex?: number | undefined }

/** Menu button with the actions of one row. */
export const RowMenu = ({ name, actions, tabIndex }: RowMenuProps) => (
  <ActionMenuButton
    appearance="subtle"
    icon={<MoreHorizontalRegular />}
    aria-label={`Actions for ${name}`}
    tabIndex={tabIndex}
    actions={actions}
  />
)

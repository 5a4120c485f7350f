import {
  Button,
  makeStyles,
  Menu,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  tokens,
} from '@fluentui/react-components'
import type { FluentIcon } from '@fluentui/react-icons'
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal'
import { Fragment } from 'react'

/** Action on a table row. Destructive ones (`danger`) are red, below a divider. */
export type RowAction = { label: string; icon: FluentIcon; danger?: boolean; onClick: () => void }

const useStyles = makeStyles({
  danger: { color: tokens.colorStatusDangerForeground1, ':hover': { color: tokens.colorStatusDangerForeground1 } },
})

type RowMenuProps = { name: string; actions: readonly RowAction[]; tabIndex?: number }

/** Menu button with the actions of one row. */
export function RowMenu({ name, actions, tabIndex }: RowMenuProps) {
  const { danger } = useStyles()
  return (
    <Menu positioning="below-end">
      <MenuTrigger disableButtonEnhancement>
        <Button
          appearance="subtle"
          icon={<MoreHorizontalRegular />}
          aria-label={`Actions for ${name}`}
          tabIndex={tabIndex}
        />
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {actions.map(({ label, icon: Icon, danger: isDestructive, onClick }) => (
            <Fragment key={label}>
              {isDestructive && <MenuDivider />}
              <MenuItem
                icon={<Icon className={isDestructive ? danger : undefined} />}
                className={isDestructive ? danger : undefined}
                onClick={onClick}
              >
                {label}
              </MenuItem>
            </Fragment>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  )
}

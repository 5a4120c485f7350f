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

/** One thing that can be done with a row. What destroys stands below a line, in red. */
export type RowAction = { label: string; icon: FluentIcon; danger?: boolean; onClick: () => void }

const useStyles = makeStyles({
  danger: { color: tokens.colorStatusDangerForeground1, ':hover': { color: tokens.colorStatusDangerForeground1 } },
})

type RowMenuProps = { name: string; actions: readonly RowAction[]; tabIndex?: number }

/** What can be done with one row, behind one quiet button. */
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
          {actions.map(({ label, icon: Icon, danger: destroys, onClick }) => (
            <Fragment key={label}>
              {destroys && <MenuDivider />}
              <MenuItem
                icon={<Icon className={destroys ? danger : undefined} />}
                className={destroys ? danger : undefined}
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

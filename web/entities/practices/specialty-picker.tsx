import { Dropdown, makeStyles, Option, Tag, useFieldContext_unstable } from '@fluentui/react-components'
import type { RefCallback } from 'react'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { specialties } from '#contracts/practice-settings.ts'

const useStyles = makeStyles({
  chosen: { display: 'flex', flexWrap: 'wrap', columnGap: '8px', rowGap: '8px', marginBottom: '8px' },
  pick: { minWidth: 0, width: '100%' },
})

type Props = {
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
  focusRef: RefCallback<HTMLElement>
  size?: 'medium' | 'large'
}

/** Picker for the specialties of a practice, shown as removable tags. */
export function SpecialtyPicker({ chosen, onChoose, focusRef, size = 'large' }: Props) {
  const styles = useStyles()
  const field = useFieldContext_unstable()
  const remove = (removed: string, tag: HTMLElement) => {
    keepFocusBeside(tag)
    onChoose(chosen.filter((specialty) => specialty !== removed))
  }
  return (
    <div>
      {chosen.length > 0 && (
        <div className={styles.chosen} role="group" aria-label="Chosen specialties">
          {chosen.map((specialty) => (
            <Tag
              key={specialty}
              value={specialty}
              dismissible
              dismissIcon={{ 'aria-label': 'remove' }}
              appearance="brand"
              onClick={({ currentTarget }) => remove(specialty, currentTarget)}
              onKeyDown={({ key, currentTarget }) => {
                if (key === 'Delete' || key === 'Backspace') remove(specialty, currentTarget)
              }}
            >
              {specialty}
            </Tag>
          ))}
        </div>
      )}
      <Dropdown
        ref={focusRef}
        inlinePopup
        className={styles.pick}
        size={size}
        placeholder="Add a specialty"
        aria-labelledby={field?.labelId}
        aria-describedby={field?.validationMessageId}
        aria-invalid={field?.validationState === 'error' ? true : undefined}
        selectedOptions={[]}
        value=""
        onOptionSelect={(_, { optionValue }) =>
          optionValue && !chosen.includes(optionValue) && onChoose([...chosen, optionValue])
        }
      >
        {specialties.map((specialty) => (
          <Option key={specialty} value={specialty} disabled={chosen.includes(specialty)}>
            {specialty}
          </Option>
        ))}
      </Dropdown>
    </div>
  )
}

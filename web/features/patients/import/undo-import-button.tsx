import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { useState } from 'react'
import type { ImportStatus } from '#contracts/patient-import.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useUndoImport } from './import-api.ts'
import { formatPatientCount } from './import-labels.ts'

const useStyles = makeStyles({
  undo: {
    display: 'grid',
    justifyItems: 'start',
    rowGap: '12px',
    padding: '16px',
    borderRadius: tokens.borderRadiusLarge,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  text: { display: 'grid', rowGap: '2px' },
})

/** Undoes an import after a confirmation. */
export function UndoImportButton({ status, question }: { status: ImportStatus; question: string }) {
  const { importId, state, created } = status
  const styles = useStyles()
  const undo = useUndoImport()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <div className={styles.undo}>
      <span className={styles.text}>
        <Text weight="semibold">{question}</Text>
        <SecondaryText>Undo removes these patients. Patients changed since the import are kept.</SecondaryText>
      </span>
      <Button icon={<ArrowUndoRegular />} onClick={() => setIsAsking(true)}>
        Undo import
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Undo this import?"
        action="Undo import"
        pendingAction="Undoing..."
        pending={undo.isPending}
        failure={undo.error ? (undo.error instanceof ApiProblem ? undo.error.detail : errorMessage(undo.error)) : null}
        danger
        onConfirm={() => undo.mutate(importId, { onSuccess: () => setIsAsking(false) })}
        onCancel={() => setIsAsking(false)}
      >
        <Text>
          {state === 'failed' ? 'The patients' : formatPatientCount(created)} from this file will be removed from the
          list for everyone in the practice. Patients changed since the import are kept.
        </Text>
      </ConfirmDialog>
    </div>
  )
}

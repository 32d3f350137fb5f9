Model status
Optimal

# Primal solution values
Feasible
Objective 6
Objective_bound 6
MIP_rel_gap 0
# Columns 13
c0 1
c1 0
c2 0
c3 0
c4 1
c5 1
c6 1
c7 0
c8 0
c9 0
c10 0
c11 1
c12 1
# Rows 29
r0 1
r1 1
r2 1
r3 1
r4 0
r5 1
r6 1
r7 0
r8 1
r9 1
r10 0
r11 1
r12 0
r13 1
r14 1
r15 0
r16 0
r17 1
r18 1
r19 1
r20 1
r21 0
r22 1
r23 1
r24 0
r25 1
r26 1
r27 0
r28 1

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None

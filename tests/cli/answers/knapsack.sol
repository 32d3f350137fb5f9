Model status
Optimal

# Primal solution values
Feasible
Objective 491
Objective_bound 491
MIP_rel_gap 0
# Columns 25
c0 1
c1 1
c2 1
c3 0
c4 1
c5 1
c6 0
c7 0
c8 1
c9 1
c10 0
c11 0
c12 1
c13 1
c14 0
c15 0
c16 0
c17 0
c18 0
c19 0
c20 1
c21 0
c22 1
c23 0
c24 0
# Rows 1
r0 230

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None

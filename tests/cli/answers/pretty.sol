Columns
    Index Status        Lower        Upper       Primal         Dual  Type        Name
        0                   0            1            1               Integer     c0
        1                   0            1           -0               Integer     c1
        2                   0            1           -0               Integer     c2
        3                   0            1           -0               Integer     c3
        4                   0            1            1               Integer     c4
        5                   0            1            1               Integer     c5
        6                   0            1            1               Integer     c6
        7                   0            1           -0               Integer     c7
        8                   0            1           -0               Integer     c8
        9                   0            1           -0               Integer     c9
       10                   0            1           -0               Integer     c10
       11                   0            1            1               Integer     c11
       12                   0            1            1               Integer     c12
Rows
    Index Status        Lower        Upper       Primal         Dual  Name
        0                -inf            1            1               r0
        1                -inf            1            1               r1
        2                -inf            1            1               r2
        3                -inf            1            1               r3
        4                -inf            1            0               r4
        5                -inf            1            1               r5
        6                -inf            1            1               r6
        7                -inf            1            0               r7
        8                -inf            1            1               r8
        9                -inf            1            1               r9
       10                -inf            1            0               r10
       11                -inf            1            1               r11
       12                -inf            1            0               r12
       13                -inf            1            1               r13
       14                -inf            1            1               r14
       15                -inf            1            0               r15
       16                -inf            1            0               r16
       17                -inf            1            1               r17
       18                -inf            1            1               r18
       19                -inf            1            1               r19
       20                -inf            1            1               r20
       21                -inf            1            0               r21
       22                -inf            1            1               r22
       23                -inf            1            1               r23
       24                -inf            1            0               r24
       25                -inf            1            1               r25
       26                -inf            1            1               r26
       27                -inf            1            0               r27
       28                -inf            1            1               r28

Model status: Optimal

Objective value: 6
Objective bound: 6
MIP rel gap: 0%

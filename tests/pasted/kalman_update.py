import numpy as np


def kalman_step(x: "n", P: "n n", z: "m", F: "n n", H: "m n", Q: "n n", R: "m m"):
    # predict
    x = F @ x
    P = F @ P @ F.T + Q
    # update
    innovation = z - H @ x
    S = H @ P @ H.T + R
    K = P @ H.T @ np.linalg.inv(S)
    x_new = x + K @ innovation
    P_new = (np.eye(len(x)) - K @ H) @ P
    return x_new, P_new
